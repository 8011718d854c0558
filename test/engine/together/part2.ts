import { runTogether } from './together';

runTogether(2);
