import { checkValue } from '../../../shared/values/address';
import { type BodyPart, topLevel } from '../../../shared/operation/body';
import { identifier } from '../../../shared/operation/fields';
import type { ItemContext } from '../../../shared/operation/itemContext';
import { isRecord } from '../../../shared/values/record';
import type { ItemRequest } from '../../../shared/operation/operation';

const planId = identifier('Subscription Plan ID', 'Id', 'text', {
	required: true,
	placeholder: 'e.g. plan-1001',
	description: 'The ID of the subscription plan',
});

/** The plan that is meant. */
export const planInBody: BodyPart = {
	schema: 'SubscriptionRequest',
	sections: [topLevel(planId)],
	example: { Id: 'plan-1001' },
};

/** The contract lets `Id` be left out, but there is no subscription without one. */
export function requirePlan(_item: ItemContext, { body }: ItemRequest): void {
	checkValue(isRecord(body) ? body.Id : undefined, 'text', planId.property.displayName);
}
