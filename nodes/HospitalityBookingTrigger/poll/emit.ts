import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import mapValues from 'lodash/mapValues';
import pick from 'lodash/pick';

import { historyOf } from '../../shared/booking/states';
import { inZone } from '../../shared/values/dateTime';
import { SECOND, isoOf, readTimestamp, writeLike } from '../../shared/values/timestamp';
import type { Event } from '../events/events';
import { type Value, fieldsOf } from '../events/rule';
import type { Emission, WhatChanged } from '../follow/step';
import type { TriggerForm } from '../form/readForm';

/** What the form says about the output. */
type OutputForm = Pick<TriggerForm, 'eventDetails' | 'feed' | 'shape' | 'system'>;

/**
 * @param event the chosen event
 * @returns the items of records, with their events if the form says so
 */
export function toItems(
	emissions: readonly Emission[],
	event: Pick<Event, 'value' | 'parts'>,
	form: OutputForm,
): INodeExecutionData[] {
	return emissions.map((emission) => {
		const { record, changes } = emission;
		const json: IDataObject = { ...form.shape(record) };
		if (changes !== undefined) json.changes = changes && shapeChanges(record, changes, form);
		if (form.eventDetails)
			json.event = {
				id: eventId(form.system, event.value, emission.key),
				type: typeOf(emission, event),
				time: emission.time === null ? null : new Date(emission.time).toISOString(),
			};
		return { json };
	});
}

/** Of an event of two parts, the one that happened; the event itself where nobody can know. */
function typeOf({ isCreation }: Emission, { value, parts }: Pick<Event, 'value' | 'parts'>) {
	if (!parts || isCreation === undefined) return value;
	return isCreation ? parts.created : parts.updated;
}

function shapeChanges(record: unknown, changes: WhatChanged, form: OutputForm): IDataObject {
	const { fields, before, now, note } = changes;
	const shaped: IDataObject = {
		fields,
		before: shapeValues(record, before, form),
		now: shapeValues(record, now, form),
	};
	if (note !== undefined) shaped.note = note;
	return shaped;
}

/** Writes compared values as fields of the record, so that earlier ones and those of now have one form. */
function shapeValues(
	record: unknown,
	values: Readonly<Record<string, Value>>,
	form: OutputForm,
): IDataObject {
	const fields = fieldsOf(record);
	const written: Record<string, unknown> = mapValues(values, (value, name) => {
		const isTime = name === 'start' || name === 'end';
		return isTime ? timeText(value, fields[name], form.feed.choice.zone) : value;
	});
	// A status has its name from the history alone.
	if ('status' in values)
		written.history = historyOf(fields).filter(({ status }) => status === values.status);
	const names = Object.keys(values);
	return pick(form.shape({ ...fields, ...written }, names), names);
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
	if (own) return writeLike(own.text, second * SECOND, zone);
	return inZone(isoOf(second * SECOND), zone, zone);
}

/** The ID of an event of a system, the same in every workflow and poll: 32 characters. */
function eventId(system: string, type: string, key: string): string {
	const parts = JSON.stringify([system, type, key]);
	return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
