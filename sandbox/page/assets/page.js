/** The start page: reads the overview every three seconds and shows it. */
import { TEXTS } from '/__page/texts.js';

const CONNECT = [
	['Base URL', 'baseUrl'],
	['Token URL Base', 'authUrl'],
	['Client ID', 'clientId'],
	['Client Secret', 'clientSecret'],
	['System', 'system'],
	['Time Zone', 'timeZone'],
	['Canceled Statuses', 'canceledStatuses'],
	['No-Show Statuses', 'noShowStatuses'],
	['Finished Statuses', 'finishedStatuses'],
	['Payment URL', 'payUrl'],
	['Customer ID', 'paymentCustomerId'],
	['Password', 'paymentPassword'],
	['Company ID', 'companyId'],
	['Brand ID', 'brandId'],
];

/** Where the demo's workflows show what has happened: in a table, and perhaps as an email or a message in a channel. */
const BOOKINGS = { table: 'Hospitality Bookings', column: 'bookingNumber' };
const SHOWS_IN = {
	bookingMade: { table: 'Hospitality New Bookings', column: 'bookingNumber', email: '' },
	bookingSoon: { table: 'Hospitality New Bookings', column: 'bookingNumber', email: '' },
	bookingChanged: BOOKINGS,
	bookingCanceled: { ...BOOKINGS, inChannel: true },
	bookingMoved: { ...BOOKINGS, email: '' },
	bookingPaid: BOOKINGS,
	surveyAnswered: { table: 'Hospitality Survey Answers', column: 'recipientId', email: 'lowScore' },
};

/** The workflows poll every five seconds. */
const LOOK_AGAIN_MS = 2000;
const LOOKS = 30;
const SHOWN_HAPPENINGS = 5;

const byId = (id) => document.getElementById(id);
let latest;
/** In the language of the sandbox's data, once that is known. */
let words = TEXTS.en;
let spoken;
let shownTable = 0;

function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.map((child) => (child instanceof Node ? child : String(child ?? ''))));
	return made;
}

const link = (href, text, className = '') =>
	element('a', { href, className, target: '_blank' }, text);

/** Says where to look for what has happened, with a link to each place: to what has come of it once that is there. */
function whereToLook(what, { links, ready }, { row, mail, message }) {
	const { table, email, inChannel } = SHOWS_IN[what];
	const only = words[email] ?? '';
	if (!ready) {
		const letter = email === undefined ? '' : ` ${words.andEmail}${only}`;
		return [`${words.starting} ${table}${letter}${inChannel ? ` ${words.andMessage}` : ''}.`];
	}
	const place = row
		? ['✓ ', link(row.url, `${words.row} ${row.number} ${words.ofTable} ${table}`)]
		: [words.lookAt, link(`${links.n8n}/home/datatables`, `${words.theTable} ${table}`)];
	const letter = mail
		? [', ✓ ', link(mail.url, `${words.theEmail} “${mail.subject}”`)]
		: links.inbox && email !== undefined
			? [words.and, link(links.inbox, words.inInbox), only]
			: [];
	const posted = message
		? [', ✓ ', link(message.url, `${words.theMessage} “${message.text}”`)]
		: inChannel && links.outcomes
			? [words.and, link(`${links.outcomes}/channel`, words.inChannel)]
			: [];
	return [...place, ...letter, ...posted, '.'];
}

/** Asks what has become of it until the row and the email are there. */
async function follow(where, what, { id, name }, since) {
	const { table, column, email, inChannel } = SHOWS_IN[what];
	const show = (outcome) => {
		where.replaceChildren(...whereToLook(what, latest, outcome));
		keepWhole();
	};
	show({});
	if (!latest.links.outcomes || !latest.ready) return;
	const asked = new URLSearchParams({
		table,
		column,
		id,
		name: email === undefined ? '' : name,
		since,
	});
	for (let look = 0; look < LOOKS; look++) {
		await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
		const outcome = await fetch(`/__page/outcome?${asked}`).then(
			(response) => (response.ok ? response.json() : {}),
			() => ({}),
		);
		show(outcome);
		if (outcome.row && (outcome.mail || email !== '') && (outcome.message || !inChannel)) return;
	}
}

/** Steps 2 and 3, where the demo's other parts run: what n8n makes of it, and the workflows that do it. */
function showGuide({ links }) {
	const steps = byId('steps');
	if (steps.children.length > 1 || !links.n8n) return;
	const step = (title, text, buttons, ...more) =>
		element(
			'li',
			{},
			element('h2', {}, title),
			element('p', { className: 'soft' }, text),
			...more,
			element('div', { className: 'buttons' }, ...buttons),
		);
	const button = (href, text) => link(href, text, 'button quiet');
	const [email, password] = (links.signIn ?? '').split(' and ');
	const whole = (text) => element('b', { className: 'whole' }, text);
	const signIn = element(
		'p',
		{ className: 'soft' },
		words.signIn,
		whole(email),
		words.signInAnd,
		whole(password),
	);
	steps.append(
		step(
			words.see,
			words.within,
			[
				...(links.inbox ? [button(links.inbox, words.inbox)] : []),
				button(`${links.n8n}/home/datatables`, words.tables),
			],
			...(links.signIn ? [signIn] : []),
		),
		step(words.open, words.note, [button(`${links.n8n}/home/workflows`, words.workflows)]),
	);
}

/** Takes the oldest lines from the list of what has happened that it has no room for. */
function keepWhole() {
	const happened = byId('happened');
	const isTooLong = () =>
		happened.children.length > SHOWN_HAPPENINGS || happened.scrollHeight > happened.clientHeight;
	while (happened.children.length > 1 && isTooLong()) happened.lastChild.remove();
}

/** Adds a line to the list of what has happened. */
function addLine(...parts) {
	const { timeZone } = latest.info;
	// As in the tables: in a form that reads the same everywhere.
	const now = new Date().toLocaleTimeString('sv', { timeZone });
	byId('happened').prepend(element('li', {}, element('time', {}, now), ...parts));
	keepWhole();
}

async function happen(what) {
	const since = new Date().toISOString();
	const response = await fetch('/__page/happen', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ what }),
	});
	const record = await response.json();
	const where = element('span', { className: 'soft' });
	addLine(element('span', {}, record.text), where);
	if (latest?.links.n8n) void follow(where, what, record, since);
	await refresh();
}

/** Runs the workflow of the morning's list, which a clock starts otherwise. */
async function sendArrivals() {
	const response = await fetch('/__page/arrivals', { method: 'POST' });
	if (!response.ok) return addLine(element('span', {}, words.arrivalsFailed));
	const { mail } = await response.json();
	addLine(element('span', {}, words.arrivalsSent), link(mail.url, `“${mail.subject}”`));
}

/** Says everything in the language of the sandbox. */
function speak({ language, links }) {
	if (spoken === language) return;
	spoken = language;
	words = TEXTS[language] ?? TEXTS.en;
	document.documentElement.lang = language;
	document.title = words.title;
	for (const one of document.querySelectorAll('[data-text]'))
		one.textContent = words[one.dataset.text];
	byId('happened').dataset.empty = words.nothingYet;
	byId('arrivals').hidden = links.outcomes === undefined;
}

function cell(value) {
	const { time, code, pill, bad } = Object(value);
	if (time !== undefined) {
		// As the house's clocks show it, in a form that reads the same everywhere: 2026-11-26 18:30.
		const { timeZone } = latest.info;
		const text =
			time &&
			new Date(time).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
		return element('td', {}, element('span', { className: 'whole' }, text));
	}
	if (code !== undefined) return element('td', { className: 'code' }, code);
	if (pill !== undefined) {
		return element('td', {}, element('span', { className: bad ? 'pill bad' : 'pill' }, pill));
	}
	return element('td', {}, value);
}

function showTables({ tables }) {
	const inWords = (name) => words.tableWords[name] ?? name;
	const buttons = tables.map(({ name }, index) => {
		const button = element('button', { role: 'tab', type: 'button' }, inWords(name));
		button.setAttribute('aria-selected', String(index === shownTable));
		button.addEventListener('click', () => {
			shownTable = index;
			showTables(latest);
		});
		return button;
	});
	byId('tabs').replaceChildren(...buttons);
	const { columns, rows } = tables[shownTable];
	const row = (cells) => element('tr', {}, ...cells);
	const head = row(columns.map((name) => element('th', {}, inWords(name))));
	byId('panel').replaceChildren(
		rows.length === 0
			? element('p', { className: 'soft' }, words.none)
			: element(
					'table',
					{},
					element('thead', {}, head),
					element('tbody', {}, ...rows.map((cells) => row(cells.map(cell)))),
				),
	);
}

async function refresh() {
	try {
		latest = await (await fetch('/__page/overview.json')).json();
		speak(latest);
		byId('state').textContent = !latest.ready
			? words.installing
			: latest.live
				? `${words.live} ${latest.live / 1000} s`
				: words.running;
		showGuide(latest);
		const known = CONNECT.filter(([, key]) => latest.info[key] !== undefined);
		byId('connect').replaceChildren(
			...known.flatMap(([label, key]) => [
				element('dt', {}, label),
				element('dd', {}, latest.info[key]),
			]),
		);
		if (!String(getSelection())) showTables(latest);
	} catch {
		byId('state').textContent = words.silent;
	}
}

for (const button of document.querySelectorAll('[data-what]')) {
	button.addEventListener('click', () => happen(button.dataset.what));
}
byId('arrivals').addEventListener('click', sendArrivals);
await refresh();
setInterval(refresh, 3000);
