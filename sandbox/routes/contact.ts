import { invalid, notFound, ServiceError } from '../http/serviceError.ts';
import type { Connection } from '../state/state.ts';
import type { Answer, Route } from './route.ts';

const created: Answer = { status: 201 };

type ConnectionBody = Partial<Connection> & {
	customer?: { id?: number };
	contact?: { id?: number };
};

const connectToCustomer: Route = ({ state, body }) => {
	const connection = body as ConnectionBody;
	const customerId = connection.customerId ?? connection.customer?.id;
	const contactId = connection.contactId ?? connection.contact?.id;
	if (customerId === undefined) {
		throw invalid('customerId', 'Required', 'is required, or customer.id');
	}
	if (contactId === undefined) throw invalid('contactId', 'Required', 'is required, or contact.id');
	if (!state.records.customers.get(String(customerId))) throw notFound(`Customer ${customerId}`);
	if (!state.records.contacts.get(String(contactId))) throw notFound(`Contact ${contactId}`);
	const same = [...state.records.connections.all()].find(
		(other) => other.customerId === customerId && other.contactId === contactId,
	);
	if (same) {
		throw new ServiceError(
			409,
			`Contact ${contactId} is connected to customer ${customerId} already`,
		);
	}
	state.records.connections.put({ ...connection, id: state.nextId(), customerId, contactId });
	return created;
};

const sendGuestMessage: Route = ({ state, service, query, body }) => {
	state.records.guestMessages.put({
		id: state.nextId(),
		time: service.clock.stamp(),
		passcode: query['passcode'] ?? null,
		body,
	});
	return { status: 202 };
};

export const contact: Record<string, Route> = {
	'contact.connectToCustomer': connectToCustomer,
	'contact.sendGuestMessage': sendGuestMessage,
};
