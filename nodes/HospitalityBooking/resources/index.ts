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

/** Everything that the node can do, in the order of the Resource list. */
export const bookingService: Service = {
	credential: 'hospitalityBookingApi',
	mainResource: 'webBooking',
	resources: [
		{
			value: 'article',
			name: 'Article',
			description: 'What is sold: prices, names and attributes of dishes, drinks and services',
			operations: [batchUpdate],
		},
		{
			value: 'articleGroup',
			name: 'Article Group',
			description: 'Groups of articles with their accounts, such as drinks and menus',
			operations: [updateArticleGroup],
		},
		{
			value: 'campaign',
			name: 'Campaign',
			description: 'Offers with requirements and benefits, such as discounts for early guests',
			operations: [updateCampaign],
		},
		{
			value: 'checkoutBooking',
			name: 'Checkout Booking',
			description: 'Bookings as the checkout sees them: guests arrive, leave and are invoiced',
			operations: [cancelToBeInvoiced, checkIn, checkOut],
		},
		{
			value: 'contact',
			name: 'Contact',
			description: 'People: connect them to customers, send messages about guests',
			operations: [connectToCustomer, sendGuestMessage],
		},
		{
			value: 'contactFilter',
			name: 'Contact Filter',
			description: 'Filters that contacts can be sorted by, such as diets and interests',
			operations: [updateContactFilter],
		},
		{
			value: 'customer',
			name: 'Customer',
			description: 'Companies and people that bookings are made for and invoiced to',
			operations: [getCustomers],
		},
		{
			value: 'department',
			name: 'Department',
			description: 'Parts of the business, such as restaurant, bar and spa',
			operations: [updateDepartment],
		},
		{
			value: 'survey',
			name: 'Survey',
			description: 'Templates of surveys that guests are asked to answer',
			operations: [updateContent],
		},
		{
			value: 'surveyRecipient',
			name: 'Survey Recipient',
			description: 'People that surveys are sent to, and what became of it',
			operations: [getSurveyRecipients, getWithSurvey],
		},
		{
			value: 'webBooking',
			name: 'Web Booking',
			description: 'Reservations of guests: list, update, pay and cancel',
			mainOperation: getWebBookings.value,
			operations: [cancelWebBooking, getWebBookings, updateWebBooking, updatePayment],
		},
	],
};
