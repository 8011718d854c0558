import type { Faker } from '@faker-js/faker';
import type { PlainRecord } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { sample } from './byContract.ts';
import { minutesFrom } from '../state/clock.ts';

const GROUP_COLORS = ['#8d6e63', '#2e7d32', '#1565c0', '#ad1457'];

/** What a booking system keeps beside its bookings: filters, campaigns, article groups, departments, plans. */
export function seedRegisters(faker: Faker, state: State, now: number): void {
	seedFilters(state);
	seedCampaigns(state, now);
	for (const [index, name] of state.words.articleGroups.entries()) {
		const id = 100 + index;
		state.records.articleGroups.put({
			...sample<PlainRecord>('ArticleGroup'),
			id,
			name,
			color: GROUP_COLORS[index],
			sortOrder: index,
			type: id === 100 ? 1 : 2,
			changeDate: minutesFrom(now, -14 * 1440),
		});
	}
	for (const [index, name] of state.words.departments.entries()) {
		state.records.departments.put({ id: index + 1, name, hidden: false, changeStatus: 0 });
	}
	seedSubscriptions(faker, state, now);
}

function seedFilters(state: State): void {
	for (const [index, { name, items }] of state.words.filters.entries()) {
		state.records.contactFilters.put({
			id: index + 1,
			name,
			items,
			itemsString: items.join(';'),
			type: 0,
			hidden: false,
		});
	}
}

/** Two campaigns; what they do not say here is whatever the contract allows. */
function seedCampaigns(state: State, now: number): void {
	const example = sample<PlainRecord>('Campaign');
	for (const [index, name] of state.words.campaigns.entries()) {
		state.records.campaigns.put({
			...example,
			id: index + 1,
			name,
			displayName: name,
			description: `${name}: 10 %`,
			campaignId: `campaign-${index + 1}`,
			startDate: minutesFrom(now, -10 * 1440),
			endDate: minutesFrom(now, 50 * 1440),
		});
	}
}

/** Subscriptions to the plans `plan-basic`, `plan-plus` and `plan-canceled`. */
function seedSubscriptions(faker: Faker, state: State, now: number): void {
	const day = (days: number) => minutesFrom(now, days * 1440).slice(0, 10);
	for (const [index, plan] of ['basic', 'plus', 'canceled'].entries()) {
		state.records.subscriptions.put({
			MerchantId: 4711,
			BuyerId: 9000 + index,
			SubscriptionId: faker.string.uuid(),
			Charges: [{ ...sample<object>('Charge'), Amount: 199.5 + index * 100, Currency: 'SEK' }],
			CreatedDate: day(-100),
			LastCharge: day(-10),
			NextCharge: day(20),
			Status: plan === 'canceled' ? 'Canceled' : 'Active',
			OrderNumber: `S-${1000 + index}`,
			PlanId: `plan-${plan}`,
		});
	}
}
