export type Alias = Pet;

/**
 * Whatever.
 */
export type Anything = unknown;

export type Bare = {
  [k: string]: unknown;
};

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

export type Empty = null;

export type Flag = boolean;

export type Id = string | number;

export type Level = 'high' | 'low';

export type Link = string;

export type Mixed = 'a' | 1 | true | null;

export type Name = string;

export type NameOrCat = Name | Cat;

export type NamedPet = Pet & Tree;

export type Names = Name[];

export type Nothing = never;

export type Object = object;

export type Open = {
  a?: string;
  [k: string]: unknown;
};

export type Pet = Cat | Dog;

export type Present = {
  anything: unknown;
};

export type Ratio = number;

export type ServerCapabilities = {
  things?: {
    listChanged?: boolean;
  };
};

export type ServerNotification = ChangedNotification;

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
