import { operation } from '../../../shared/operation/contractFields';
import { planInBody } from './plan';

export const cancel = operation('subscription.cancel', {
	name: 'Cancel',
	action: 'Cancel subscription',
	description: 'Cancel a subscription and get it as it is then',
	record: 'body.Id',
	body: planInBody,
});
