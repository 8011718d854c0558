import { once } from 'node:events';
import {
	type AddressInfo,
	connect as connectTo,
	createServer,
	type Server,
	type Socket,
} from 'node:net';

/** A mail server in front of the inbox that can be down, and that can refuse a mail. */
export interface MailGate {
	port: number;
	/** Mails that hold this text, in their headers or as plain text, are refused; none where it is empty. */
	refuse: (text: string) => void;
	/** Mails that hold this text get no answer until it is released. @returns when the first of them is there */
	hold: (text: string) => Promise<void>;
	release: (text: string) => void;
	/** No mail can be sent while it is closed. */
	shut: () => Promise<void>;
	open: () => Promise<void>;
	close: () => Promise<void>;
}

/** Mails that wait. */
interface Held {
	came: () => void;
	waiting: Array<() => void>;
}

/**
 * Starts one.
 *
 * @param inboxPort where the mails go on to
 */
export async function startMailGate(inboxPort: number): Promise<MailGate> {
	const sockets = new Set<Socket>();
	let refused = '';
	const held = new Map<string, Held>();
	const server: Server = createServer((client) => {
		const inbox = connectTo(inboxPort, '127.0.0.1');
		let sent = '';
		for (const socket of [client, inbox]) {
			sockets.add(socket);
			socket.on('error', () => socket.destroy());
			socket.on('close', () => {
				sockets.delete(socket);
				client.destroy();
				inbox.destroy();
			});
		}
		inbox.on('data', (chunk: Buffer) => client.write(chunk));
		client.on('data', (chunk: Buffer) => {
			sent += chunk.toString();
			if (refused !== '' && sent.includes(refused)) {
				client.end('554 5.7.1 This mail is refused\r\n');
				inbox.destroy();
				return;
			}
			const found = [...held].find(([text]) => sent.includes(text));
			if (!found) return inbox.write(chunk);
			const [, { came, waiting }] = found;
			waiting.push(() => inbox.write(chunk));
			came();
		});
	});
	const listen = async (port: number) => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};
	const shut = async () => {
		for (const socket of sockets) socket.destroy();
		server.close();
		await once(server, 'close');
	};
	await listen(0);
	const { port } = server.address() as AddressInfo;
	return {
		port,
		refuse: (text) => {
			refused = text;
		},
		hold: (text) =>
			new Promise((came) => {
				held.set(text, { came, waiting: [] });
			}),
		release: (text) => {
			const { waiting } = held.get(text) ?? { waiting: [] };
			held.delete(text);
			for (const goOn of waiting) goOn();
		},
		shut,
		open: async () => await listen(port),
		close: async () => {
			if (server.listening) await shut();
		},
	};
}
