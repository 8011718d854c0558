import { type Service, resourcesOf } from '../../shared/operation/operation';
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
	main: 'webBooking',
	resources: resourcesOf({
		article: ['Dishes, drinks and services: prices, names and attributes', batchUpdate],
		articleGroup: ['Groups of articles, with their accounts', updateArticleGroup],
		campaign: ['Offers, such as discounts for early guests', updateCampaign],
		checkoutBooking: [
			'Bookings at the checkout: arrival, departure, invoice',
			checkIn,
			checkOut,
			cancelToBeInvoiced,
		],
		contact: ['Guests, and their connection to customers', connectToCustomer, sendGuestMessage],
		contactFilter: ['Filters for contacts, such as diets', updateContactFilter],
		customer: ['Companies and people who are invoiced', getCustomers],
		department: ['Parts of the business, such as bar and spa', updateDepartment],
		survey: ['Survey templates with the questions for guests', updateContent],
		surveyRecipient: ['People whom surveys were sent to', getSurveyRecipients, getWithSurvey],
		webBooking: [
			'Reservations of guests',
			getWebBookings,
			updateWebBooking,
			updatePayment,
			cancelWebBooking,
		],
	}),
};
