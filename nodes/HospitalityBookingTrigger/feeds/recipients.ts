import { readMoment } from '../../shared/values/timestamp';
import { type ChangeFeed, type ChangeObservation, eachChange, recordsOf } from './feed';

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
		...recordsOf<ChangeObservation>({ name: 'survey recipient', idName: 'id' }, (recipient, id, zone) => {
			if (recipient.status !== RESPONDED) return { changed: null, event: null, wanted: false };
			const changed = readMoment(recipient.respondedTime, zone);
			return changed ? eachChange(id, changed) : 'time of response';
		}),
	};
}
