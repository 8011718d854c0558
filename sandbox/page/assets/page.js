/** The start page: reads the overview every three seconds and shows it. */

const TILES = [
	['bookings', 'Web bookings'],
	['customers', 'Customers'],
	['contacts', 'Contacts'],
	['recipients', 'Survey recipients'],
	['articles', 'Articles'],
	['campaigns', 'Campaigns'],
];

const CONNECT = [
	['Base URL', 'baseUrl'],
	['Token URL Base', 'authUrl'],
	['Client ID', 'clientId'],
	['Client Secret', 'clientSecret'],
	['System', 'system'],
	['Payment URL', 'payUrl'],
	['Customer ID', 'paymentCustomerId'],
	['Password', 'paymentPassword'],
	['Company ID', 'companyId'],
	['Brand ID', 'brandId'],
];

const RECIPIENT = {
	0: 'Template',
	1: 'Scheduled',
	2: 'Sent',
	3: 'Opened',
	4: 'Responded',
	5: 'Canceled',
	6: 'Deleted',
	999: 'Error',
};

const pill = (text, bad) => element('span', { className: bad ? 'pill bad' : 'pill' }, text);
const code = (text) => ({ code: text });
const time = (iso) => {
	const text = iso ? new Date(iso).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }) : '';
	return element('span', { className: 'whole' }, text);
};

/** Each tab: its name, its columns, and a row of cells for each record of the overview. */
const TABS = [
	{
		name: 'Bookings',
		columns: [
			'Number',
			'Status',
			'Start',
			'Guest',
			'Company',
			'Guests',
			'Message',
			'Changed',
			'Root ID',
			'GUID',
		],
		rows: ({ bookings }) =>
			bookings.map((b) => [
				b.number,
				pill(b.status, b.canceled),
				time(b.start),
				b.guest,
				b.company,
				b.guests,
				b.message,
				time(b.changed),
				b.alias ? `${b.rootId} (${b.alias})` : b.rootId,
				code(b.guid),
			]),
	},
	{
		name: 'Customers',
		columns: ['ID', 'Name', 'City', 'Email', 'Phone', 'Changed'],
		rows: ({ customers }) =>
			customers.map((c) => [c.id, c.name, c.city, c.email, c.phone, time(c.lastChangedUtc)]),
	},
	{
		name: 'Surveys',
		columns: ['Title', 'Revision', 'Questions', 'Changed', 'ID'],
		rows: ({ surveys }) =>
			surveys.map((s) => [
				s.content.title,
				s.revision,
				s.content.pages.flatMap((page) => page.sections.flatMap(({ questions }) => questions)).length,
				time(s.changedTime),
				code(s.id),
			]),
	},
	{
		name: 'Survey recipients',
		columns: ['Name', 'Status', 'Email', 'Sent', 'Responded', 'ID'],
		rows: ({ recipients }) =>
			recipients.map((r) => [
				r.name,
				pill(RECIPIENT[r.status] ?? r.status, r.status === 999),
				r.emailAddress,
				time(r.sentTime),
				time(r.respondedTime),
				code(r.id),
			]),
	},
	{
		name: 'Articles',
		columns: ['Number', 'Name', 'Regular', 'Take away', 'Conference', 'Color', 'Age', 'ID'],
		rows: ({ articles }) =>
			articles.map((a) => [
				a.articleNumber,
				a.name,
				a.prices.regular.inclVat,
				a.prices.takeAway.inclVat,
				a.prices.conference.inclVat,
				a.attributes.color.name,
				a.attributes.ageRestriction,
				code(a.articleId),
			]),
	},
	{
		name: 'Recent requests',
		columns: ['Time', 'Method', 'Address', 'Status', 'Body'],
		rows: ({ requests }) =>
			requests.map((r) => [
				new Date(r.time).toLocaleTimeString(),
				r.method,
				code(r.rawUrl),
				pill(r.status ?? 'cut', r.status === null || r.status >= 400),
				code(r.body === undefined ? '' : JSON.stringify(r.body).slice(0, 200)),
			]),
	},
];

let shown = TABS[0];
let latest;

function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.map((child) => (child instanceof Node ? child : String(child ?? ''))));
	return made;
}

function cell(value) {
	return value && typeof value === 'object' && 'code' in value
		? element('td', { className: 'code' }, value.code)
		: element('td', {}, value);
}

function showTiles({ counts }) {
	tiles.replaceChildren(
		...TILES.map(([key, label]) =>
			element(
				'div',
				{ className: 'tile' },
				element('b', {}, counts[key].toLocaleString()),
				element('span', { className: 'soft' }, label),
			),
		),
	);
}

function showDays({ days }) {
	const dates = Array.from({ length: 14 }, (_, i) => new Date(Date.now() + i * 86_400_000));
	const amounts = dates.map((date) => days[date.toISOString().slice(0, 10)] ?? 0);
	const most = Math.max(1, ...amounts);
	const bars = dates.map((date, i) => {
		const bar = element('i', { title: date.toDateString() });
		bar.style.height = `${(amounts[i] / most) * 75}%`;
		const weekday = date.toLocaleDateString([], { weekday: 'short' });
		const labels = [weekday, date.getDate()].map((text) => element('span', { className: 'soft' }, text));
		return element('div', { className: 'bar' }, element('span', {}, amounts[i]), bar, ...labels);
	});
	document.getElementById('days').replaceChildren(...bars);
}

function showConnection({ info }) {
	connect.replaceChildren(
		...CONNECT.flatMap(([label, key]) => [element('dt', {}, label), element('dd', {}, info[key])]),
	);
}

const SHOWN_HAPPENINGS = 3;

/** Where the demo's workflows show it: in a table, and perhaps as an email. */
const SHOWS_IN = {
	bookingMade: { table: 'Hospitality New Bookings', column: 'bookingNumber', email: '' },
	bookingChanged: { table: 'Hospitality Bookings', column: 'bookingNumber' },
	bookingCanceled: { table: 'Hospitality Bookings', column: 'bookingNumber' },
	bookingMoved: { table: 'Hospitality Bookings', column: 'bookingNumber' },
	bookingPaid: { table: 'Hospitality Bookings', column: 'bookingNumber' },
	surveyAnswered: {
		table: 'Hospitality Survey Answers',
		column: 'recipientId',
		email: ' when the score is 3 or less',
	},
};

/** The workflows poll every five seconds. */
const LOOK_AGAIN_MS = 2000;
const LOOKS = 30;

const opened = (href, text) => element('a', { href, target: '_blank' }, text);

/** Says where to look for what has happened, with a link to each place: to the row and the email once they are there. */
function whereToLook(what, { n8n, inbox }, { row, mail }) {
	const { table, email } = SHOWS_IN[what];
	const place = row
		? ['✓ ', opened(row.url, `Row ${row.number} of the table ${table}`)]
		: ['Look at ', opened(`${n8n}/home/datatables`, `the table ${table}`)];
	const letter = mail
		? [', ✓ ', opened(mail.url, `the email “${mail.subject}”`)]
		: inbox && email !== undefined
			? [', and ', opened(inbox, 'the email in the inbox'), email]
			: [];
	return [...place, ...letter, '.'];
}

/** Asks what has become of it until the row and the email are there. */
async function follow(where, what, { id, name }, since) {
	const { links } = latest;
	const { table, column, email } = SHOWS_IN[what];
	where.replaceChildren(...whereToLook(what, links, {}));
	if (!links.outcomes) return;
	const asked = new URLSearchParams({ table, column, id, name: email === undefined ? '' : name, since });
	for (let look = 0; look < LOOKS; look++) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
		const outcome = await fetch(`/__page/outcome?${asked}`).then(
			(response) => (response.ok ? response.json() : {}),
			() => ({}),
		);
		where.replaceChildren(...whereToLook(what, links, outcome));
		if (outcome.row && (outcome.mail || email !== '')) return;
	}
}

/** Steps 2 and 3, where the demo's other parts run: what n8n makes of it, and the workflows that do it. */
function showGuide({ links }) {
	if (steps.children.length > 1 || !links.n8n) return;
	const link = (href, text) => element('a', { className: 'button quiet', href, target: '_blank' }, text);
	const step = (title, text, ...more) =>
		element('li', {}, element('h2', {}, title), element('p', { className: 'soft' }, text), ...more);
	const buttons = (...all) => element('div', { className: 'buttons' }, ...all);
	const signIn = links.signIn
		? [
				element(
					'p',
					{ className: 'soft' },
					'Sign in to n8n: ',
					...links.signIn
						.split(' and ')
						.flatMap((part, index) => [index > 0 ? ' and ' : '', element('b', { className: 'whole' }, part)]),
				),
			]
		: [];
	steps.append(
		step(
			'See what n8n makes of it',
			'Within ten seconds a new booking is an email and a row of the table Hospitality New Bookings. Its line under step 1 then links to both. A table shows its newest row last.',
			...signIn,
			buttons(
				...(links.inbox ? [link(links.inbox, 'Inbox')] : []),
				link(`${links.n8n}/home/datatables`, 'Tables'),
			),
		),
		step(
			'Open the workflows that did it',
			'Each has a note on its canvas. Change an email, press Publish, and make another booking.',
			buttons(link(`${links.n8n}/home/workflows`, 'Workflows in n8n')),
		),
	);
}

async function happen(what) {
	const since = new Date().toISOString();
	const response = await fetch('/__page/happen', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ what }),
	});
	const record = await response.json();
	const where = element('div', { className: 'soft' });
	const line = element(
		'li',
		{},
		element('time', {}, `${new Date().toLocaleTimeString()} `),
		element('span', {}, record.text),
		where,
	);
	happened.prepend(line);
	while (happened.children.length > SHOWN_HAPPENINGS) happened.lastChild.remove();
	if (latest?.links.n8n) void follow(where, what, record, since);
	await refresh();
}

function showTabs() {
	tabs.replaceChildren(
		...TABS.map((tab) => {
			const button = element('button', { role: 'tab', type: 'button' }, tab.name);
			button.setAttribute('aria-selected', String(tab === shown));
			button.addEventListener('click', () => {
				shown = tab;
				showTabs();
				showPanel();
			});
			return button;
		}),
	);
}

function showPanel() {
	const rows = shown.rows(latest);
	panel.replaceChildren(
		rows.length === 0
			? element('p', { className: 'soft' }, 'Nothing yet.')
			: element(
					'table',
					{},
					element('thead', {}, element('tr', {}, ...shown.columns.map((name) => element('th', {}, name)))),
					element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map(cell)))),
				),
	);
}

async function refresh() {
	try {
		latest = await (await fetch('/__page/overview.json')).json();
		state.textContent = latest.live
			? `Live: something happens every ${latest.live / 1000} s`
			: 'Running. Start it with --live to let bookings arrive.';
		showGuide(latest);
		showTiles(latest);
		showDays(latest);
		showConnection(latest);
		if (!String(getSelection())) showPanel();
	} catch {
		state.textContent = 'The sandbox does not respond. Is it still running?';
	}
}

const [tiles, connect, tabs, panel, state, steps, happened] = [
	'tiles',
	'connect',
	'tabs',
	'panel',
	'state',
	'steps',
	'happened',
].map((id) => document.getElementById(id));
for (const button of document.querySelectorAll('[data-what]')) {
	button.addEventListener('click', () => happen(button.dataset.what));
}
showTabs();
await refresh();
setInterval(refresh, 3000);
