export type Alias = Pet;

/**
 * Whatever.
 */
export type Anything = unknown;

export type Bare = {
  [k: string]: unknown;
};

export type Between = number;

export type Blank = string;

export type Both = Tree & Cat;

export type BusyError = {
  code: -32099;
};

export type Bytes = string;

export type CallRequest = {
  jsonrpc?: '2.0';
  method: 'things/call';
  params: Tree;
};

export type CallResult = {
  'io.modelcontextprotocol/x'?: unknown;
};

export type Cat = {
  type: 'cat';
};

export type ChangedNotification = {
  method: 'notifications/things/list_changed';
};

export type ClientRequest = CallRequest;

export type Closed = {
  a?: string;
};

export type Count = number;

export type Counts = {
  [k: string]: Count;
};

export type Dog = {
  type: 'dog';
};

export type Dozens = number;

export type Either =
  | ((
      | null
      | boolean
      | {
          a: unknown;
        }
      | unknown[]
      | number
      | string
    ) &
      (
        | null
        | boolean
        | {
            a?: string;
          }
        | unknown[]
        | number
        | string
      ))
  | string;

export type Empty = null;

export type Fixed = { a: [1, 'x']; "it's": null };

export type Flag = boolean;

export type Id = string | number;

export type Inherited = {
  toString?: unknown;
  valueOf?: unknown;
  constructor: unknown;
};

export type Keyed = {
  own: string;
  xy: unknown;
  [k: string]: unknown;
};

export type Letter = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i';

export type Level = 'high' | 'low';

export type Link = string;

export type Listed = 'none' | { a: 1 } | [];

export type Mixed = 'a' | 1 | true | null;

export type Name = string;

export type NameOrCat = Name | Cat;

export type NamedPet = Pet & Tree;

export type Names = Name[];

export type Nothing = never;

export type Number =
  | 0
  | 1
  | 2
  | 3
  | 4
  | 5
  | 6
  | 7
  | 8
  | 9
  | 10
  | 11
  | 12
  | 13
  | 14
  | 15
  | 16
  | 17
  | 18
  | 19
  | 20
  | 21
  | 22
  | 23
  | 24
  | 25
  | 26
  | 27
  | 28
  | 29
  | 30;

export type Object = object;

/**
 * @deprecated
 */
export type Old = string;

export type Only =
  | {
      a: string;
    }
  | {
      b: string;
    };

export type OnlyPet = Cat | Dog | null;

export type Open = {
  a?: string;
  [k: string]: unknown;
};

export type Pair = [string, Fixed?];

export type Pet = Cat | Dog;

export type Present = {
  anything: unknown;
};

export type Ratio = number;

export type Rest = {
  a?: string;
  [k: string]: unknown;
} & Cat;

export type RestItems = [string?, ...unknown[]];

export type Row = [string?, unknown?, ...number[]];

export type Safe = string;

export type ServerCapabilities = {
  things?: {
    listChanged?: boolean;
  };
};

export type ServerNotification = ChangedNotification;

export type Sized = {
  [k: string]: unknown;
};

export type Some = unknown[];

export type Template = string;

/**
 * A tree.
 *
 * It ends with *\/ and `${more}`.
 */
export type Tree = {
  /**
   * What it is called.
   */
  label: string;
  'data-x'?: string;
  children?: Tree[];
};

export type Unlike = unknown;

export type Wide = {
  p0: string;
  p1?: string;
  p2?: string;
  p3?: string;
  p4?: string;
  p5?: string;
  p6?: string;
  p7?: string;
  p8?: string;
  p9?: string;
  p10?: string;
  p11?: string;
  p12?: string;
};

export type Wides = {
  q0?: number;
  q1?: number;
  q2?: number;
  q3?: number;
  q4?: number;
  q5?: number;
  q6?: number;
}[];

export type Word = string;
