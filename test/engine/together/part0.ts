import { runTogether } from './together';

runTogether(0);
