/** What the JSON parameters of a campaign are filled in with (first document, 'Campaign'). */
export const requirements = [
	{
		requirementType: 1,
		type: 'code',
		campaignCodes: [{ name: 'Welcome', code: 'EARLY10', maxUsage: 100, maxUsagePerCustomer: 1 }],
		weekDays: ['Monday', 'Tuesday'],
		localTimeInterval: { start: '16:00', end: '18:00' },
		groups: [{ name: 'Menus', quantity: 2, articles: [{ id: 501 }] }],
		totalAmountCents: 50000,
	},
];

export const benefits = [{ benefitType: 1, type: 'percentage', percentage: 10, maxDiscountAmount: 500 }];

export const uploadImages = [
	{
		imageFilename: 'early-bird.jpg',
		imageUploadData:
			'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
		tags: ['wide'],
		cropRatios: [{ left: 0, top: 0, width: 1, height: 1, aspectRatio: '16:9' }],
	},
];
