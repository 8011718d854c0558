import type { Service } from '../../shared/operation/operation';
import { batchUpdate } from './article/batchUpdate.operation';
import { update as updateArticleGroup } from './articleGroup/update.operation';
import { update as updateCampaign } from './campaign/update.operation';
import { cancelToBeInvoiced } from './checkoutBooking/cancelToBeInvoiced.operation';
import { checkIn } from './checkoutBooking/checkIn.operation';
import { checkOut } from './checkoutBooking/checkOut.operation';
import { connectToCustomer } from './contact/connectToCustomer.operation';
import { sendGuestMessage } from './contact/sendGuestMessage.operation';
import { update as updateContactFilter } from './contactFilter/update.operation';
import { getAll as getCustomers } from './customer/getAll.operation';
import { update as updateDepartment } from './department/update.operation';
import { updateContent } from './survey/updateContent.operation';
import { getAll as getSurveyRecipients } from './surveyRecipient/getAll.operation';
import { getWithSurvey } from './surveyRecipient/getWithSurvey.operation';
import { cancel as cancelWebBooking } from './webBooking/cancel.operation';
import { getAll as getWebBookings } from './webBooking/getAll.operation';
import { update as updateWebBooking } from './webBooking/update.operation';
import { updatePayment } from './webBooking/updatePayment.operation';

/** Everything that the node can do, in the order of the lists and of n8n's list of actions: the usual first. */
export const bookingService: Service = {
	credential: 'hospitalityBookingApi',
	main: 'webBooking',
	resources: [
		{
			value: 'webBooking',
			name: 'Booking',
			description: 'Reservations of guests',
			operations: [getWebBookings, updateWebBooking, updatePayment, cancelWebBooking],
			main: getWebBookings,
		},
		{
			value: 'checkoutBooking',
			name: 'Checkout',
			description: 'Bookings at the checkout: arrival, departure, invoice',
			operations: [checkIn, checkOut, cancelToBeInvoiced],
			main: checkIn,
		},
		{
			value: 'customer',
			name: 'Customer',
			description: 'Companies and people who are invoiced',
			operations: [getCustomers],
			main: getCustomers,
		},
		{
			value: 'contact',
			name: 'Contact',
			description: 'Guests, and their connection to customers',
			operations: [connectToCustomer, sendGuestMessage],
			main: connectToCustomer,
		},
		{
			value: 'surveyRecipient',
			name: 'Survey Recipient',
			description: 'People whom surveys were sent to',
			operations: [getSurveyRecipients, getWithSurvey],
			main: getSurveyRecipients,
		},
		{
			value: 'survey',
			name: 'Survey',
			description: 'Survey templates with the questions for guests',
			operations: [updateContent],
			main: updateContent,
		},
		{
			value: 'article',
			name: 'Article',
			description: 'Dishes, drinks and services: prices, names and attributes',
			operations: [batchUpdate],
			main: batchUpdate,
		},
		{
			value: 'articleGroup',
			name: 'Article Group',
			description: 'Groups of articles, with their accounts',
			operations: [updateArticleGroup],
			main: updateArticleGroup,
		},
		{
			value: 'campaign',
			name: 'Campaign',
			description: 'Offers, such as discounts for early guests',
			operations: [updateCampaign],
			main: updateCampaign,
		},
		{
			value: 'contactFilter',
			name: 'Contact Filter',
			description: 'Filters for contacts, such as diets',
			operations: [updateContactFilter],
			main: updateContactFilter,
		},
		{
			value: 'department',
			name: 'Department',
			description: 'Parts of the business, such as bar and spa',
			operations: [updateDepartment],
			main: updateDepartment,
		},
	],
};
