export { choose } from './choose.js';
export { CHOICES_FILE, projectUnits, VENDOR_FOLDER, vendorUnits } from './project.js';
export type { Sources, Vendored } from './project.js';
export { SERVER } from './server.js';
export { featuresOf, ScaffoldError } from './template.js';
export type { Choice, Choices, Features, Template, TemplateOption } from './template.js';
