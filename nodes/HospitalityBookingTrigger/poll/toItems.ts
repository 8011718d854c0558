import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import pick from 'lodash/pick';

import { historyOf } from '../../shared/booking/states';
import { inZone } from '../../shared/values/dateTime';
import { SECOND, isoOf, readTimestamp } from '../../shared/values/timestamp';
import { writeTime } from '../../shared/values/writeTime';
import type { Event } from '../events/events';
import { type Value, fieldsOf } from '../events/rule';
import type { Emission, WhatChanged } from '../follow/buildEmission';
import type { TriggerForm } from '../form/readForm';

/** What of the form decides how an item looks. */
type ItemForm = Pick<TriggerForm, 'eventDetails' | 'feed' | 'shape' | 'system'>;
type NamedEvent = Pick<Event, 'value' | 'parts'>;

/**
 * @param event the chosen event
 * @returns the items of records, with their events if the form says so
 */
export function toItems(
	emissions: readonly Emission[],
	event: NamedEvent,
	form: ItemForm,
): INodeExecutionData[] {
	return emissions.map((emission) => {
		const { record, changes } = emission;
		const json: IDataObject = { ...form.shape(record) };
		if (changes) json.changes = shapeChanges(record, changes, form);
		if (changes === null) json.changes = null;
		if (form.eventDetails) {
			json.event = detailsOf(emission, event, form.system);
		}
		return { json };
	});
}

function detailsOf(emission: Emission, event: NamedEvent, system: string): IDataObject {
	const { key, time } = emission;
	return {
		id: eventId(system, event.value, key),
		type: typeOf(emission, event),
		time: time === null ? null : new Date(time).toISOString(),
	};
}

/** Of an event of two parts, the one that happened; the event itself where nobody can know. */
function typeOf({ isCreation }: Emission, { parts, value }: NamedEvent): string {
	if (!parts || isCreation === undefined) return value;
	return isCreation ? parts.created : parts.updated;
}

function shapeChanges(record: unknown, changes: WhatChanged, form: ItemForm): IDataObject {
	const shaped: IDataObject = {
		fields: changes.fields,
		before: shapeValues(record, changes.before, form),
		now: shapeValues(record, changes.now, form),
	};
	if (changes.note !== undefined) shaped.note = changes.note;
	return shaped;
}

/** Writes compared values as fields of the record, so that earlier ones and those of now have one form. */
function shapeValues(record: unknown, values: WhatChanged['before'], form: ItemForm): IDataObject {
	const { zone } = form.feed.choice;
	const received = fieldsOf(record);
	const fields: Record<string, unknown> = { ...received };
	for (const [name, value] of Object.entries(values)) {
		const isTime = name === 'start' || name === 'end';
		fields[name] = isTime ? timeText(value, received[name], zone) : value;
	}
	// A status has its name from the history alone.
	if ('status' in values) {
		const history = historyOf(received);
		fields.history = history.filter(({ status }) => status === values.status);
	}
	const names = Object.keys(values);
	const shaped = form.shape(fields, names);
	return pick(shaped, names);
}

/**
 * @param second since 1970
 * @param ofRecord the record's own time, which may be no date-time
 * @returns the second in the form of the record's own time or, where that is no date-time, of the account
 */
function timeText(second: Value, ofRecord: unknown, zone: string): unknown {
	const own = readTimestamp(ofRecord, zone);
	const ownSecond = own ? Math.floor(own.ms / SECOND) : null;
	if (second === ownSecond) return ofRecord;
	if (second === null) return null;
	const ms = second * SECOND;
	if (own) return writeTime(ms, zone, own.text);
	return inZone(isoOf(ms), zone, zone);
}

/** The ID of an event of a system, the same in every workflow and poll: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, key]);
	const hash = createHash('sha256').update(parts).digest('hex');
	return hash.slice(0, 32);
}
