import type { TaskStore } from '../../tasks/index.js';

/** Says why a part of the contract is not tried. It is the reason of each check that is skipped for it. */
export type NotTried = string;

/**
 * A store, and the places where it keeps tasks. What it does not promise is a sentence that says why, so
 * that each check is either run or skipped with a reason.
 *
 * `Place` is whatever describes one set of tasks: a folder, the URL of a database, an object with switches.
 */
export interface StoreUnderTest<Place> {
  /** Makes an empty place. Each check has a place of its own. */
  readonly create: () => Place | Promise<Place>;
  /** Opens the store of a place, with all that earlier stores of this place have acknowledged. */
  readonly open: (place: Place) => TaskStore | Promise<TaskStore>;
  /** Deletes a place, after the stores that `open` returned were closed. */
  readonly remove?: (place: Place) => void | Promise<void>;
  /** Whether the store has the optional member `administration`. */
  readonly administration: true | NotTried;
  /** What a durable store survives. */
  readonly durable: DurableStore<Place> | NotTried;
  /** How several processes use one place. Otherwise a second process has to be refused. */
  readonly shared: SharedStore<Place> | NotTried;
}

export interface DurableStore<Place> {
  /**
   * What opening a place does with the leases that it finds. A store may end them if only one process at a
   * time can open a place, because then opening it proves that the workers of the others have ended.
   */
  readonly leases: 'kept' | 'ended';
  /**
   * Resolves with the place as a crash at this moment would leave it: a copy of its files, made while a
   * store has them open; or, for a database server, the same place after the server was killed and started
   * again. Copy synchronously, so that the copy has nothing that is written later.
   */
  readonly crash: ((place: Place) => Place | Promise<Place>) | NotTried;
  /** How another process opens the place. The kit kills that process. */
  readonly process: ((place: Place) => StoreProcess) | NotTried;
  /** Lets every write of the place fail from now on, as a full disk does. Returns what mends it. */
  readonly failWrites: ((place: Place) => Mend | Promise<Mend>) | NotTried;
  /** The files that contain the tasks of a closed store. The kit damages them. */
  readonly files: ((place: Place) => readonly string[]) | NotTried;
}

export type Mend = () => void | Promise<void>;

/** A process of Node.js whose module calls `runStoreProcess`. */
export interface StoreProcess {
  readonly module: URL;
  /** What `runStoreProcess` gives to the function that opens the store. */
  readonly argument: string;
  /** Arguments of Node.js, for instance `['--import', 'tsx']`. Default: none. */
  readonly execArgv?: readonly string[];
}

export interface SharedStore<Place> {
  /** From now on no notification of a change arrives. Absent when notifications cannot be lost. */
  readonly loseNotifications?: (place: Place) => void | Promise<void>;
  /** Milliseconds within which a change is reported whose notification was lost. Default: 60,000. */
  readonly reportsWithinMs?: number;
}

/** One check, for any test runner: `it.skipIf(skip)(name, run)`, or `test(name, { skip }, run)`. */
export interface StoreCheck {
  readonly name: string;
  /** Why the check cannot run on this store, or false. */
  readonly skip: string | false;
  /** Makes a place, tries the store on it, and removes it. Rejects when the store breaks a promise. */
  readonly run: () => Promise<void>;
}
