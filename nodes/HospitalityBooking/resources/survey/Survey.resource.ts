import type { Resource } from '../../../shared/operation/operation';
import { updateContent } from './updateContent.operation';

export const surveyResource: Resource = {
	value: 'survey',
	name: 'Survey',
	description: 'Templates of surveys that guests are asked to answer',
	operations: [updateContent],
};
