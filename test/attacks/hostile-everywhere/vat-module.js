import { reasons } from './reasons.js';

throw reasons[3]();
