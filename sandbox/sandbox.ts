import type { Faker } from '@faker-js/faker';
import type { ContractDocument } from '../contract/model.ts';
import { readContract } from '../contract/model.ts';
import { ACCOUNT } from './info.ts';
import { Faults } from './control/faults.ts';
import { RequestLog } from './control/requestLog.ts';
import type { SandboxOptions } from './options.ts';
import { createFaker } from './seed/words.ts';
import { seedService } from './seed/seed.ts';
import { Clock } from './state/clock.ts';
import type { Service } from './state/state.ts';
import { State } from './state/state.ts';
import type { TokenIssuer } from './token.ts';

/** What the parts of a running sandbox share. */
export interface Sandbox {
	options: SandboxOptions;
	contract: ContractDocument;
	service: Service;
	/** The system that the control interface, the live bookings and the start page work on. */
	mainState: State;
	faker: Faker;
	log: RequestLog;
	faults: Faults;
	/** AuthenticationTokens. The API does not specify their use; one that was not issued is rejected. */
	paymentTokens: Set<string>;
	/** The token issuer; there is one as soon as the address is known. */
	tokens: () => TokenIssuer;
	/** Seeds again and clears faults, log, figures, tokens and clock settings. */
	reset: () => void;
}

/** A sandbox with its seeded state, not listening yet. */
export function createSandbox(
	options: SandboxOptions,
): Sandbox & { useTokens: (issuer: TokenIssuer) => void } {
	const service: Service = {
		clock: new Clock(options.timeZone),
		systems: new Map(),
		visibilityDelay: 0,
	};
	const addSystem = (system: string): State => {
		const state = new State(system, options.language, () => service.visibilityDelay);
		service.systems.set(system, state);
		return state;
	};
	const mainState = addSystem(ACCOUNT.system);
	addSystem(ACCOUNT.secondSystem);
	let issuer: TokenIssuer | undefined;
	const sandbox = {
		options,
		contract: readContract(),
		service,
		mainState,
		faker: createFaker(options.seed + 1_000_000, options.language),
		log: new RequestLog(),
		faults: new Faults(options.seed),
		paymentTokens: new Set<string>(),
		tokens: () => {
			if (!issuer) throw new Error('The sandbox is not listening yet');
			return issuer;
		},
		useTokens: (made: TokenIssuer) => {
			issuer = made;
		},
		reset: () => {
			service.clock.set({ skewMs: 0, offset: 'Z', timeZone: options.timeZone });
			service.visibilityDelay = 0;
			seedService(service, options);
			sandbox.faker.seed(options.seed + 1_000_000);
			sandbox.faults.clear();
			sandbox.log.clear();
			sandbox.log.resetStats();
			sandbox.paymentTokens.clear();
			if (issuer) {
				issuer.revokeAll();
				issuer.lifetimeSeconds = 3600;
			}
		},
	};
	seedService(service, options);
	return sandbox;
}
