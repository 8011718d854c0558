import type { IDataObject } from 'n8n-workflow';

import { type OutputShape, valueAt } from '../recordShape';
import { isRecord } from '../../values/record';

/** A survey as an item (first document, 'Survey'). */
export const survey: OutputShape = {
	kind: 'record',
	schema: 'Survey',
	simplified: {
		title: 'content.title',
		questions: (record) => questionTitles(record, 'content'),
		status: 'status',
		statusMessage: 'statusMessage',
		changedTime: 'changedTime',
		changedBy: 'changedBy',
		createdTime: 'createdTime',
		createdBy: 'createdBy',
		revision: 'revision',
		id: 'id',
	},
};

/**
 * @param at where a SurveyContent stands in the record
 * @returns the titles of all questions, in order
 */
export function questionTitles(record: IDataObject, at: string): string[] {
	const inside = (parents: unknown[], name: string) =>
		parents
			.filter(isRecord)
			.flatMap((parent) => (Array.isArray(parent[name]) ? parent[name] : []) as unknown[]);
	return inside(inside(inside([valueAt(record, at)], 'pages'), 'sections'), 'questions')
		.filter(isRecord)
		.map(({ title }) => String(title ?? ''));
}
