import type { Resource } from '../../../shared/operation/operation';
import { connectToCustomer } from './connectToCustomer.operation';
import { sendGuestMessage } from './sendGuestMessage.operation';

export const contactResource: Resource = {
	value: 'contact',
	name: 'Contact',
	description: 'People: connect them to customers, send messages about guests',
	operations: [connectToCustomer, sendGuestMessage],
};
