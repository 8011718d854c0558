import type { IPollFunctions } from 'n8n-workflow';
import { maxAgeOf, readEvent, readForm } from '../../../nodes/HospitalityBookingTrigger/form/readForm';
import type { OpenAccount } from '../../../nodes/shared/auth/account';
import { readDeployment } from '../../../nodes/shared/auth/deployment';
import { HOUR } from './support';

it.each([
	["the credential's time zone", 'Europe/Stockholm', 'Europe/Stockholm', '2026-07-01T10:00:00Z'],
	["n8n's own where that is left empty", '', 'Asia/Tokyo', '2026-07-01T03:00:00Z'],
])('reads times without an offset in %s', (_, timeZone, zone, startAt) => {
	const form: Record<string, unknown> = {
		event: 'bookingCreated',
		options: { startFrom: '2026-07-01T12:00:00' },
	};
	const context = {
		getTimezone: () => 'Asia/Tokyo',
		getNode: () => ({ name: 'Trigger', parameters: form }),
		getNodeParameter: (name: string, fallback?: unknown) => form[name] ?? fallback,
	} as unknown as IPollFunctions;
	const account = {
		credentials: { timeZone, system: 'demo' },
		deployment: readDeployment({}),
		address: 'https://booking.example',
	};
	const read = readForm(context, readEvent(context), account as unknown as OpenAccount);
	expect(read).toMatchObject({ zone, startAt: Date.parse(startAt) });
});

it.each([
	[0.5, [], 0.5],
	[0.5, [{ mode: 'everyHour' }], 1],
	[1, [{ mode: 'everyX', unit: 'hours', value: 6 }], 6],
	[24, [{ mode: 'everyDay' }], 25],
	[24, [{ mode: 'everyDay' }, { mode: 'everyMinute' }], 24],
	[24, [{ mode: 'custom', cronExpression: '* * * * *' }], 24],
])('makes of a Max Age of %s hours with polls %j at least %s hours', (hours, item, least) => {
	expect(maxAgeOf(hours, { item })).toBeGreaterThanOrEqual(least * HOUR);
	expect(maxAgeOf(hours, { item })).toBeLessThan((least + 0.2) * HOUR);
});
