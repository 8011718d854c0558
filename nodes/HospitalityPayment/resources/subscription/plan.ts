import { checkValue } from '../../../shared/address';
import { type BodyPart, open } from '../../../shared/body';
import { identifier } from '../../../shared/fields';
import type { ItemRun } from '../../../shared/itemRun';
import { isRecord } from '../../../shared/serviceMessage';
import type { ServiceRequest } from '../../../shared/transport';

const planId = identifier('Subscription Plan ID', 'Id', 'text', {
	required: true,
	placeholder: 'e.g. plan-1001',
	description: 'The ID of the subscription plan',
});

/** Which plan is meant (second document, 'SubscriptionRequest'). */
export const planInBody: BodyPart = {
	schema: 'SubscriptionRequest',
	sections: [open(planId)],
	example: { Id: 'plan-1001' },
};

/** The contract lets `Id` be left out, but there is no subscription without one. */
export async function requirePlan(_run: ItemRun, { body }: ServiceRequest): Promise<void> {
	checkValue(isRecord(body) ? body.Id : undefined, 'text', planId.property.displayName);
}
