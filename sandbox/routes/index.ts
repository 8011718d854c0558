import { article } from './article.ts';
import { checkoutBooking } from './checkoutBooking.ts';
import { contact } from './contact.ts';
import { customer } from './customer.ts';
import { payment } from './payment.ts';
import { registers } from './registers.ts';
import type { Route } from './route.ts';
import { survey } from './survey.ts';
import { webBooking } from './webBooking.ts';

/** Every operation of the contract except the token endpoint, by operationId. */
export const routes: Record<string, Route> = {
	...webBooking,
	...checkoutBooking,
	...contact,
	...customer,
	...survey,
	...registers,
	...article,
	...payment,
};
