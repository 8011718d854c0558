import { type Service, named } from '../../shared/operation/operation';
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
			description: 'What is sold: prices, names and attributes of dishes, drinks and services',
			operations: [batchUpdate],
		},
		{
			value: 'articleGroup',
			description: 'Groups of articles with their accounts, such as drinks and menus',
			operations: [updateArticleGroup],
		},
		{
			value: 'campaign',
			description: 'Offers with requirements and benefits, such as discounts for early guests',
			operations: [updateCampaign],
		},
		{
			value: 'checkoutBooking',
			description: 'Bookings as the checkout sees them: guests arrive, leave and are invoiced',
			operations: [cancelToBeInvoiced, checkIn, checkOut],
		},
		{
			value: 'contact',
			description: 'Guests: connect them to customers, send messages about them',
			operations: [connectToCustomer, sendGuestMessage],
		},
		{
			value: 'contactFilter',
			description: 'Filters for contacts, such as diets and interests',
			operations: [updateContactFilter],
		},
		{
			value: 'customer',
			description: 'Companies and people for whom bookings are made and invoiced',
			operations: [getCustomers],
		},
		{
			value: 'department',
			description: 'Parts of the business, such as restaurant, bar and spa',
			operations: [updateDepartment],
		},
		{
			value: 'survey',
			description: 'Survey templates with the questions for guests',
			operations: [updateContent],
		},
		{
			value: 'surveyRecipient',
			description: 'People whom surveys were sent to, with status and answers',
			operations: [getSurveyRecipients, getWithSurvey],
		},
		{
			value: 'webBooking',
			description: 'Reservations of guests: list, update, pay and cancel',
			mainOperation: getWebBookings.value,
			operations: [cancelWebBooking, getWebBookings, updateWebBooking, updatePayment],
		},
	].map(named),
};
