import type { Incoming } from '../incoming.js';
import { continueWith, resumes } from '../sdk/index.js';
import type { HandOver } from './exchange.js';
import type { Outlet } from './outlets.js';

/** Lets the SDK answer an HTTP request, on the connection that waits for the answer. */
export function handingOver(
  incoming: Incoming,
  outlet: Outlet,
  throughSdk: () => Promise<Response>,
): HandOver {
  return (continuation, operation) => {
    const request = incoming.request();
    resumes(request, operation);
    continueWith(request, continuation);
    const response = throughSdk();
    outlet.through(response);
    // The SDK calls the handler in the turn in which it gets the request, or refuses the request.
    return response;
  };
}
