"""Networks, by the name used in configs and result paths."""

from reactivate.registry import Registry

MODELS = Registry(
    "model",
    {
        "mlp": "reactivate.models.mlp:MLP",
        "fcnn": "reactivate.models.mlp:FCNN",
        "vgg16": "reactivate.models.vgg:VGG16",
        "vgg6": "reactivate.models.vgg:VGG6",
        "cifar_vgg": "reactivate.models.cifar_vgg:CifarVGG",
        "cifar_vgg_conv1": "reactivate.models.cifar_vgg:conv1",
        "cifar_vgg_conv1_3": "reactivate.models.cifar_vgg:conv1_3",
        "cifar_vgg_conv1_3_5": "reactivate.models.cifar_vgg:conv1_3_5",
        "convpool8": "reactivate.models.convpool:convpool8",
        "convpool8_double": "reactivate.models.convpool:convpool8_double",
        "convpool8_half": "reactivate.models.convpool:convpool8_half",
        "convpool8_half_printed": "reactivate.models.convpool:convpool8_half_printed",
        "convpool9": "reactivate.models.convpool:convpool9",
        "convpool9_double": "reactivate.models.convpool:convpool9_double",
        "convpool9_half": "reactivate.models.convpool:convpool9_half",
        "allcnn": "reactivate.models.allcnn:AllCNN",
        "allcnn_conv1_4": "reactivate.models.allcnn:conv1_4",
        "allcnn_conv1_7": "reactivate.models.allcnn:conv1_7",
        "allcnn_conv1_9": "reactivate.models.allcnn:conv1_9",
        "allcnn_all": "reactivate.models.allcnn:everywhere",
        "allcnn_conv1_4_7": "reactivate.models.allcnn:halved_conv1_4_7",
        "resnet14": "reactivate.models.resnet:resnet14",
        "resnet26": "reactivate.models.resnet:resnet26",
        "resnet34": "reactivate.models.resnet:resnet34",
        "resnet50": "reactivate.models.resnet:resnet50",
        "cifar_resnet56": "reactivate.models.cifar_resnet:CifarResNet",
        "cifar_resnet56_projection": "reactivate.models.cifar_resnet:with_projection",
        "mobilenet_v2": "reactivate.models.mobile:mobilenet_v2",
        "shufflenet_v2": "reactivate.models.mobile:shufflenet_v2",
    },
    where="workflow/reactivate/models/__init__.py",
)
