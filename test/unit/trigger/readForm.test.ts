import type { IPollFunctions } from 'n8n-workflow';
import type { OpenAccount } from '../../../nodes/shared/auth/account';
import { readEvent, readForm } from '../../../nodes/HospitalityBookingTrigger/form/readForm';

function zonesFor(timeZone: string) {
	const form: Record<string, unknown> = {
		event: 'bookingCreated',
		options: { startFrom: '2026-07-01T12:00:00' },
	};
	const context = {
		getTimezone: () => 'Asia/Tokyo',
		getNode: () => ({ name: 'Trigger', parameters: form }),
		getNodeParameter: (name: string, fallback?: unknown) => form[name] ?? fallback,
	} as unknown as IPollFunctions;
	const account = { credentials: { timeZone, system: 'demo' }, address: 'https://booking.example' };
	const { zone, startAt } = readForm(context, readEvent(context), account as unknown as OpenAccount);
	return { zone, startAt };
}

it("reads times without an offset in the credential's time zone, and in n8n's own where that is left empty", () => {
	expect(zonesFor('Europe/Stockholm')).toEqual({
		zone: 'Europe/Stockholm',
		startAt: Date.parse('2026-07-01T10:00:00Z'),
	});
	expect(zonesFor('')).toEqual({ zone: 'Asia/Tokyo', startAt: Date.parse('2026-07-01T03:00:00Z') });
});
