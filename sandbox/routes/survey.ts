import { notFound } from '../http/serviceError.ts';
import { sameCase } from '../state/collection.ts';
import { RECIPIENT_STATUS } from '../state/codes.ts';
import type { SurveyRecipient } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { ok, type Route } from './route.ts';

const updateContent: Route = ({ state, service, path, body }) => {
	const id = String(path['id']);
	const survey = state.records.surveys.get(id);
	if (!survey) throw notFound(`Survey ${id}`);
	const content = body as Record<string, unknown>;
	const changedTime = service.clock.stamp();
	return ok(
		state.records.surveys.put({ ...survey, content, revision: survey.revision + 1, changedTime }),
	);
};

function* recipients(
	state: State,
	surveyId?: string,
	statuses?: number[],
): Generator<SurveyRecipient> {
	for (const { record } of state.records.recipients.visible()) {
		if (surveyId !== undefined && record.surveyId !== sameCase(surveyId)) continue;
		if (statuses && !statuses.includes(record.status)) continue;
		yield record;
	}
}

const getAll: Route = ({ state, query }) => {
	const { surveyId, status } = query as { surveyId?: string; status?: number[] };
	return ok([...recipients(state, surveyId, status)]);
};

/** There is no `system` header: looks for the recipient in every system. */
const getWithSurvey: Route = ({ service, path }) => {
	const id = String(path['id']);
	for (const state of service.systems.values()) {
		const recipient = state.records.recipients.get(id);
		if (!recipient) continue;
		const { status } = recipient;
		const closed = status === RECIPIENT_STATUS.canceled || status === RECIPIENT_STATUS.responded;
		const survey = state.records.surveys.get(recipient.surveyId);
		return ok(closed || !survey ? { recipient } : { content: survey.content, recipient });
	}
	throw notFound(`Survey recipient ${id}`);
};

export const survey: Record<string, Route> = {
	'survey.updateContent': updateContent,
	'surveyRecipient.getAll': getAll,
	'surveyRecipient.getWithSurvey': getWithSurvey,
};
