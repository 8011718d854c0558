import { testGroup } from '../support/group';

testGroup(4);
