import isEqual from 'lodash/isEqual.js';
import type { Client } from './client.ts';
import { usedBy } from './concerns.ts';
import type { Finding } from './probes.ts';
import { isRecord } from './shape.ts';

/** The two records that a person allows to be changed and put back. */
export interface WriteTargets {
	/** GUID of a web booking. */
	booking: string;
	department: { id: number; name: string };
}

type Row = Record<string, unknown>;

const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
const DAY_MS = 86_400_000;
const PERIODS = [2, 31, 400];
const MARK = ' (conformance check)';
/** What an update may change by itself. */
const CHANGES_WITH_ANY_UPDATE = ['message', 'changeDate', 'history', 'disableAllConfirmationMessages'];

/**
 * Changes the message of one web booking and the name of one department, reads both back, and puts them back. Confirmation
 * messages are switched off.
 *
 * @returns what differs from what the package relies on
 */
export async function checkWrites(
	client: Client,
	{ booking, department }: WriteTargets,
	say: (line: string) => void,
): Promise<Finding[]> {
	say('Changing the web booking and restoring it');
	const ofBooking = await changeBooking(client, booking);
	say('Changing the department and restoring it');
	return [...ofBooking, ...(await changeDepartment(client, department))];
}

async function changeBooking(client: Client, guid: string): Promise<Finding[]> {
	const finding = findingsOf('webBooking.update');
	const before = await readBooking(client, guid);
	if (!before)
		return [finding('', 'no booking with this GUID within 400 days of today: nothing was changed')];
	const update = async (message: unknown) => {
		const { guests, guestsChildren, contact, customer } = before;
		return await client.booking({
			operation: 'webBooking.update',
			method: 'PUT',
			path: BOOKINGS,
			body: JSON.stringify({
				bookingGuid: guid,
				timeSetDate: new Date().toISOString(),
				times: [],
				guests,
				guestsChildren,
				contact: contact ?? undefined,
				customer: customer ?? undefined,
				message,
				logMessage: 'Conformance check',
				disableAllConfirmationMessages: true,
			}),
		});
	};
	const original = before['message'] ?? null;
	const { isUsable, status } = await update(`${String(original ?? '')}${MARK}`);
	const changed = await readBooking(client, guid);
	const isChanged = changed?.['message'] === `${String(original ?? '')}${MARK}`;
	const found: Finding[] = [];
	if (!isUsable) found.push(finding('', `gets the status ${status}`));
	else if (!isChanged) found.push(finding('message', 'is not what was sent when it is read back'));
	if (!isChanged && changed?.['message'] === before['message']) return found;
	await update(original);
	const after = await readBooking(client, guid);
	const differs = Object.keys(before).filter(
		(name) => !CHANGES_WITH_ANY_UPDATE.includes(name) && !isEqual(before[name], after?.[name]),
	);
	found.push(
		...differs.map((name) => finding(name, 'changed, although it was sent unchanged or not at all')),
	);
	if (!isEqual(after?.['message'] ?? null, original))
		found.push(finding('message', `COULD NOT BE RESTORED: remove "${MARK.trim()}" by hand`));
	return found;
}

/** Departments have no reading call: what an update returns is what is compared. */
async function changeDepartment(
	client: Client,
	{ id, name }: WriteTargets['department'],
): Promise<Finding[]> {
	const finding = findingsOf('department.update');
	const update = async (content: Row) =>
		await client.booking({
			operation: 'department.update',
			method: 'PUT',
			path: `/api/booking/v1/departments/${id}`,
			body: JSON.stringify(content),
		});
	const { isUsable, status, body } = await update({ id, name: `${name}${MARK}` });
	if (!isUsable) return [finding('', `gets the status ${status}`)];
	const record = isRecord(body) ? body : {};
	const found = record['name'] === `${name}${MARK}` ? [] : [finding('name', 'is not what was sent')];
	const back = await update({ ...record, id, name });
	const isBack = back.isUsable && isRecord(back.body) && back.body['name'] === name;
	return isBack
		? found
		: [...found, finding('name', `COULD NOT BE RESTORED: remove "${MARK.trim()}" by hand`)];
}

async function readBooking(client: Client, guid: string): Promise<Row | undefined> {
	for (const days of PERIODS) {
		const [startTime, endTime] = [-days, days].map((offset) =>
			new Date(Date.now() + offset * DAY_MS).toISOString(),
		);
		const { body } = await client.booking({
			operation: 'webBooking.getAll',
			path: BOOKINGS,
			query: { startTime, endTime, includeContact: true, includeCustomer: true },
		});
		const found = (Array.isArray(body) ? body : []).find((row) => isRecord(row) && row['guid'] === guid);
		if (found) return found as Row;
	}
	return undefined;
}

function findingsOf(operation: string) {
	return (path: string, what: string): Finding => ({
		operation,
		path,
		what,
		concerns: usedBy(operation),
		examples: [],
		weight: 'behavior',
	});
}
