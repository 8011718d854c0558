import { HospitalityBookingApi } from '../../credentials/HospitalityBookingApi.credentials';
import { HospitalityPaymentApi } from '../../credentials/HospitalityPaymentApi.credentials';
import { bookingCredential, paymentCredential } from '../../dev/sandbox.ts';
import { standardLabels } from '../support/forms';
import { describeInEditor, useEditor } from './support/browser';

/** n8n asks this for every credential that its HTTP Request node can use. */
const LABEL_BY_N8N = 'Allowed HTTP Request Domains';

describeInEditor('the credential form', () => {
	const here = useEditor();

	test.each([
		{ type: new HospitalityBookingApi(), dataOf: bookingCredential, secret: 'clientSecret' },
		{ type: new HospitalityPaymentApi(), dataOf: paymentCredential, secret: 'password' },
	])(
		'$type.displayName asks for what it needs, tests it and says what is wrong',
		async ({ type, dataOf, secret }) => {
			const { editor, connection } = here;
			await editor.openNewCredential(type.displayName);
			const labels = await editor.credentialLabels();
			const values: Record<string, unknown> = dataOf(connection.sandbox);
			const texts = type.properties.filter(
				({ name, type: kind }) =>
					['string', 'options'].includes(kind) &&
					values[name] !== undefined &&
					name !== 'carriedAs',
			);
			const right = Object.fromEntries(texts.map(({ name }) => [name, String(values[name])]));
			await editor.fillCredential({ ...right, [secret]: 'wrong' });
			await editor.saveCredential(/'(Client Secret|Password)'/);
			await editor.fillCredential({ [secret]: right[secret] ?? '' });
			await editor.saveCredential(/Connection tested successfully/);

			expect(labels.filter((label) => label !== LABEL_BY_N8N)).toEqual(
				standardLabels(type.properties, {}),
			);
		},
	);
});
