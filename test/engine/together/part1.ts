import { runTogether } from './together';

runTogether(1);
