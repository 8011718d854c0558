import { testSubscription } from '../support/payment';

testSubscription('subscription.cancel', true);
