import { hashKey } from '../seen';
import { readStamp } from '../stamps';
import { type ChangeFeed, asRecord } from './feed';

/** Status "Responded" of the recipient status table. @see contract/openapi.yaml surveyRecipient.getAll */
const RESPONDED = 4;

/**
 * Survey recipients that have answered. @see contract/openapi.yaml surveyRecipient.getAll
 *
 * The service cannot be asked for what changed after a moment, so every poll lists all answers; what is kept between
 * polls is bounded by the overlap all the same.
 *
 * @param surveyId only answers to this survey; empty: to any
 */
export function recipientFeed(surveyId: string): ChangeFeed {
	return {
		kind: 'changes',
		path: '/api/booking/v1/Survey/Recipients',
		query: () => ({ status: [RESPONDED], ...(surveyId === '' ? {} : { surveyId }) }),
		ranking: 'time',
		nameOf: (recipient) => `survey recipient ${String(asRecord(recipient)?.id)}`,
		observe: (value, zone) => {
			const recipient = asRecord(value);
			const id = recipient?.id;
			if (!recipient || typeof id !== 'string' || id === '')
				return { malformed: 'a survey recipient has no id' };
			if (recipient.status !== RESPONDED) return { stamp: null, event: null, wanted: false };
			const stamp = readStamp(recipient.respondedTime, zone);
			if (!stamp || stamp.ms < 0)
				return { malformed: `survey recipient ${id} has no readable time of response` };
			const event = { key: hashKey(`${id}|${stamp.wall}.${stamp.finer}`), rank: stamp.ms };
			return { stamp, event, wanted: true };
		},
	};
}
