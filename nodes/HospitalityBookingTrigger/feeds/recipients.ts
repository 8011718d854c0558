import { isRecord } from '../../shared/values/record';
import { hashKey } from '../keys';
import { readTimestamp } from '../../shared/values/timestamp';
import { type ChangeFeed, type ChangeObservation, eachRecord } from './feed';

/** Status "Responded" of the recipient status table. @see contract/openapi.yaml surveyRecipient.getAll */
const RESPONDED = 4;

/**
 * Survey recipients that have answered. @see contract/openapi.yaml surveyRecipient.getAll
 *
 * The service cannot list changes after a moment, so every poll lists all answers. What is stored between polls is still
 * bounded by the overlap.
 *
 * @param surveyId only answers to this survey; empty: to any
 */
export function recipientFeed(surveyId: string): ChangeFeed {
	return {
		kind: 'changes',
		path: '/api/booking/v1/Survey/Recipients',
		query: () => ({ status: [RESPONDED], ...(surveyId === '' ? {} : { surveyId }) }),
		nameOf,
		observe: eachRecord<ChangeObservation>((recipient, zone) => {
			if (!isRecord(recipient) || typeof recipient.id !== 'string' || recipient.id === '')
				return { malformed: 'a survey recipient has no id' };
			if (recipient.status !== RESPONDED) return { changed: null, event: null, wanted: false };
			const changed = readTimestamp(recipient.respondedTime, zone);
			if (!changed || changed.ms < 0)
				return { malformed: `${nameOf(recipient)} has no readable time of response` };
			const key = hashKey(`${recipient.id.toLowerCase()}|${changed.local}.${changed.finer}`);
			return { changed, event: { key, rank: changed.local, time: changed.ms }, wanted: true };
		}),
	};
}

function nameOf(recipient: unknown): string {
	return `survey recipient ${String(isRecord(recipient) ? recipient.id : recipient).toLowerCase()}`;
}
