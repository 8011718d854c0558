/** How much is run: `short` in continuous integration, `full` otherwise. */
export const SHORT = process.env.SCALE_FORM === 'short';

export const WORKERS = SHORT ? 2 : 3;
