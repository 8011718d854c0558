/** Examples of the JSON parameters of a campaign. */
export const requirements = [
	{
		requirementType: 1,
		type: 'code',
		campaignCodeIds: ['code-1'],
		campaignCodes: [
			{
				id: 'code-1',
				name: 'Welcome',
				code: 'EARLY10',
				createdBy: 'Robin',
				createdDate: '2026-11-20T09:00:00+01:00',
				usages: 0,
				maxUsage: 100,
				maxUsagePerCustomer: 1,
				isDirty: false,
				doDelete: false,
			},
		],
		numberOfCodes: 1,
		codeLength: 7,
		loggingSummary: 'Codes of the early bird dinner',
	},
	{
		requirementType: 2,
		type: 'period',
		weekDays: ['Monday', 'Tuesday'],
		localTimeInterval: { start: '16:00', end: '18:00' },
		groups: [
			{
				name: 'Menus',
				quantity: 2,
				articles: [{ id: 501, uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }],
			},
		],
		totalAmountCents: 50000,
	},
	{
		requirementType: 3,
		type: 'customer',
		customerIds: ['1042'],
		tierId: 'gold',
		rewardId: 'dessert',
		voucherId: 'voucher-1',
	},
];

export const benefits = [{ benefitType: 1, type: 'percentage', percentage: 10, maxDiscountAmount: 500 }];

export const uploadImages = [
	{
		image: 'early-bird',
		imageUrl: 'https://images.example.com/early-bird.jpg',
		imageFilename: 'early-bird.jpg',
		imageUploadData:
			'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
		tags: ['wide'],
		cropRatios: [{ id: 1, imageId: 1, left: 0, top: 0, width: 1, height: 1, aspectRatio: '16:9' }],
	},
];
