/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
	return heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replaceAll(' ', '-');
}

/** The anchors of a page: those of all its headings, and those set by hand. */
export function anchorsOf(text: string): string[] {
	const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
	const set = text.matchAll(/<a id="([^"]+)">/g);
	return [
		...[...headings].map(([, heading]) => anchorOf(heading ?? '')),
		...[...set].map(([, id]) => id ?? ''),
	];
}
