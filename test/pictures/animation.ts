/** What came of a press of _Make a booking_. */
export interface Pressed {
	/** What the sandbox's page said, e.g. "Booking B110230 is made: Anna Lind, 4 guests". */
	text: string;
	/** Of the mail. */
	subject: string;
	row: Record<string, unknown>;
}

const WIDTH = 640;
/** One round, of ten seconds. */
const ROUND = 10;
/** Columns of the row, with where they begin. */
const COLUMNS = { bookingNumber: 36, date: 176, time: 290, guestName: 370, guests: 560 };

const escaped = (text: unknown) =>
	String(text ?? '').replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Something that appears at a second of the round, and stays until its end. */
const from = (second: number, content: string) =>
	`<g class="from" style="animation-name: from${second}">${content}</g>`;

const keyframes = (second: number) => {
	const percent = (100 * second) / ROUND;
	return `@keyframes from${second} { 0%, ${percent}% { opacity: 0 } ${percent + 4}%, 96% { opacity: 1 } 100% { opacity: 0 } }`;
};

const card = (y: number, height: number, title: string, content: string) =>
	`<rect class="card" x="20" y="${y}" width="600" height="${height}" rx="10" /><text class="soft" x="36" y="${y + 24}">${title}</text>${content}`;

const node = (x: number, label: string, second: number) =>
	`<rect class="card" x="${x}" y="126" width="170" height="48" rx="10" />${from(second, `<rect class="done" x="${x}" y="126" width="170" height="48" rx="10" />`)}<text x="${x + 85}" y="155" text-anchor="middle">${label}</text>`;

/** Draws, as an SVG of ten seconds in light and dark, how a press of the button becomes an email and a row. */
export function drawAnimation({ text, subject, row }: Pressed): string {
	const columns = Object.entries(COLUMNS).map(
		([name, x]) =>
			`<text class="soft" x="${x}" y="342">${name}</text><text x="${x}" y="364">${escaped(row[name])}</text>`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 390" width="${WIDTH}" height="390" role="img" aria-label="A press of Make a booking becomes an email and a row of a table within ten seconds">
<style>
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #16211f }
.soft { fill: #5b6b68 }
.ground { fill: #f4f6f6 }
.card { fill: #fff; stroke: #dfe5e5 }
.done { fill: none; stroke: #0f766e; stroke-width: 3 }
.button { fill: #0f766e; animation: press ${ROUND}s infinite; transform-origin: 108px 64px }
.light { fill: #fff; font-weight: 600 }
.from { opacity: 0; animation: ${ROUND}s infinite }
@keyframes press { 0%, 6% { transform: scale(1) } 9% { transform: scale(0.92) } 12%, 100% { transform: scale(1) } }
${[1, 3, 4, 5, 6].map(keyframes).join('\n')}
@media (prefers-color-scheme: dark) {
text { fill: #e7eeec }
.soft { fill: #9db0ac }
.ground { fill: #12181a }
.card { fill: #1c2427; stroke: #30393c }
.done { stroke: #2dd4bf }
}
</style>
<rect class="ground" width="${WIDTH}" height="390" rx="12" />
${card(12, 92, 'Booking service', '')}
<rect class="button" x="36" y="46" width="144" height="36" rx="8" /><text class="light" x="108" y="69" text-anchor="middle">Make a booking</text>
${from(1, `<text x="196" y="69">${escaped(text)}</text>`)}
${node(20, 'A booking is made', 3)}${node(235, 'Email the kitchen', 4)}${node(450, 'Save it as a row', 5)}
<path d="M190 150h45M405 150h45" class="card" />
${from(5, card(192, 84, 'Email to the kitchen, within ten seconds', `<text x="36" y="250">${escaped(subject)}</text>`))}
${from(6, card(292, 86, 'Row of a data table', columns.join('')))}
</svg>
`;
}
