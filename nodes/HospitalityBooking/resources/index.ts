import type { Service } from '../../shared/operation';
import { customerResource } from './customer/Customer.resource';
import { webBookingResource } from './webBooking/WebBooking.resource';

/** Everything that the node can do, in the order of the Resource list. */
export const bookingService: Service = {
	credential: 'hospitalityBookingApi',
	resources: [customerResource, webBookingResource],
};
