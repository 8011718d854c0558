import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import pick from 'lodash/pick';

import { historyOf } from '../../shared/booking/states';
import { inZone } from '../../shared/values/dateTime';
import { SECOND, isoOf, readTimestamp } from '../../shared/values/timestamp';
import { writeTime } from '../../shared/values/writeTime';
import type { Event } from '../events/events';
import { type Value, fieldsOf } from '../events/rule';
import type { Emission, WhatChanged } from '../follow/emission';
import type { TriggerForm } from '../form/readForm';

/**
 * @param event the chosen event
 * @returns the items of records, with their events if the form says so
 */
export function toItems(
	emissions: readonly Emission[],
	event: Pick<Event, 'value' | 'parts'>,
	form: Pick<TriggerForm, 'eventDetails' | 'feed' | 'shape' | 'system'>,
): INodeExecutionData[] {
	return emissions.map((emission) => {
		const { record, changes } = emission;
		const json: IDataObject = { ...form.shape(record) };
		if (changes !== undefined) json.changes = changes && shapeChanges(record, changes, form);
		if (form.eventDetails) json.event = detailsOf(emission, event, form.system);
		return { json };
	});
}

function detailsOf(
	emission: Emission,
	event: Pick<Event, 'value' | 'parts'>,
	system: string,
): IDataObject {
	const { time } = emission;
	return {
		id: eventId(system, event.value, emission.key),
		type: typeOf(emission, event),
		time: time === null ? null : new Date(time).toISOString(),
	};
}

/** Of an event of two parts, the one that happened; the event itself where nobody can know. */
function typeOf(emission: Emission, event: Pick<Event, 'value' | 'parts'>): string {
	const { parts } = event;
	if (!parts || emission.isCreation === undefined) return event.value;
	return emission.isCreation ? parts.created : parts.updated;
}

function shapeChanges(
	record: unknown,
	changes: WhatChanged,
	form: Pick<TriggerForm, 'feed' | 'shape'>,
): IDataObject {
	const shaped: IDataObject = {
		fields: changes.fields,
		before: shapeValues(record, changes.before, form),
		now: shapeValues(record, changes.now, form),
	};
	if (changes.note !== undefined) shaped.note = changes.note;
	return shaped;
}

/** Writes compared values as fields of the record, so that earlier ones and those of now have one form. */
function shapeValues(
	record: unknown,
	values: WhatChanged['before'],
	form: Pick<TriggerForm, 'feed' | 'shape'>,
): IDataObject {
	const received = fieldsOf(record);
	const fields: Record<string, unknown> = { ...received };
	for (const [name, value] of Object.entries(values)) {
		const isTime = name === 'start' || name === 'end';
		fields[name] = isTime ? timeText(value, received[name], form.feed.choice.zone) : value;
	}
	// A status has its name from the history alone.
	if ('status' in values) {
		fields.history = historyOf(received).filter(({ status }) => status === values.status);
	}
	const names = Object.keys(values);
	return pick(form.shape(fields, names), names);
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
	if (own) return writeTime(second * SECOND, zone, own.text);
	return inZone(isoOf(second * SECOND), zone, zone);
}

/** The ID of an event of a system, the same in every workflow and poll: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, key]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
