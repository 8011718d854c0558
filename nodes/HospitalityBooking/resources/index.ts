import type { Service } from '../../shared/operation/operation';
import { articleResource } from './article/Article.resource';
import { articleGroupResource } from './articleGroup/ArticleGroup.resource';
import { campaignResource } from './campaign/Campaign.resource';
import { checkoutBookingResource } from './checkoutBooking/CheckoutBooking.resource';
import { contactResource } from './contact/Contact.resource';
import { contactFilterResource } from './contactFilter/ContactFilter.resource';
import { customerResource } from './customer/Customer.resource';
import { departmentResource } from './department/Department.resource';
import { surveyResource } from './survey/Survey.resource';
import { surveyRecipientResource } from './surveyRecipient/SurveyRecipient.resource';
import { webBookingResource } from './webBooking/WebBooking.resource';

/** Everything that the node can do, in the order of the Resource list. */
export const bookingService: Service = {
	credential: 'hospitalityBookingApi',
	mainResource: 'webBooking',
	resources: [
		articleResource,
		articleGroupResource,
		campaignResource,
		checkoutBookingResource,
		contactResource,
		contactFilterResource,
		customerResource,
		departmentResource,
		surveyResource,
		surveyRecipientResource,
		webBookingResource,
	],
};
