import { runInNewContext } from 'node:vm';
import { workflowFile } from '../../dev/demo/workflows.ts';

const named = workflowFile('newsletter-consent').nodes.find(({ name }) => name === 'Name the guest');
const { assignments } = named?.parameters.assignments as {
	assignments: Array<{ name: string; value: string }>;
};
const [, code = ''] =
	/\{\{(.*)\}\}/s.exec(assignments.find(({ name }) => name === 'guest')?.value ?? '') ?? [];
const guestOf = (id: number, email: string) =>
	runInNewContext(code, { $json: { contact: { id, email } } }) as string;

describe('Newsletter', () => {
	it('knows a guest by the number of the contact, whatever the address', () => {
		expect(guestOf(7, 'old@example.com')).toBe(guestOf(7, 'new@example.com'));
	});

	it('tells guests apart by their addresses where the service gives each contact the number 0', () => {
		expect(guestOf(0, 'Anna@example.com')).not.toBe(guestOf(0, 'bo@example.com'));
		expect(guestOf(0, 'Anna@example.com')).toBe(guestOf(0, ' anna@example.com'));
	});
});
