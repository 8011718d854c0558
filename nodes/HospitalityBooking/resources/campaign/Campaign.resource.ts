import type { Resource } from '../../../shared/operation/operation';
import { update } from './update.operation';

export const campaignResource: Resource = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Offers with requirements and benefits, such as discounts for early guests',
	operations: [update],
};
