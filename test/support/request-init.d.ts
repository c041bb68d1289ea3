/** The pages bring the types of browsers, whose `fetch` has no `duplex`. Node.js needs it for a body that is a stream. */
interface RequestInit {
  readonly duplex?: 'half';
}
