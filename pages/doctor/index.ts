export { DOCTOR, doctorPage } from './page.js';
