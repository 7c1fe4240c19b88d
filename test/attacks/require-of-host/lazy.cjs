exports.where = new Error('where am I').stack;
