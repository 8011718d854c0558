/** What 'JSON' is filled in with where any record with a name is updated: the same, so that one parameter serves all. */
export const renameExample = { name: 'New name', hidden: false };
