exports.run = () => 1;
